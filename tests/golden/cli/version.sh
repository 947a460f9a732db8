#!/bin/sh
# Any version will do: the number is not this test's business.
"$FRESHET" --version | sed 's/[0-9][0-9.]*$/N/'
"$FRESHET" bench --version | sed 's/[0-9][0-9.]*$/N/'
