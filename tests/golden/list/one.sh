#!/bin/sh
"$FRESHET" list sbf
"$FRESHET" list --json sbf
"$FRESHET" list sbf -j | wc -l
