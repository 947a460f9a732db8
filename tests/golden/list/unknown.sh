#!/bin/sh
"$FRESHET" list nosuch
