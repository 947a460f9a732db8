#!/bin/sh
# A parameter is the same as an option and in a specification, and it matters.
same() {
    spec=$1
    shift
    "$FRESHET" gen "$@" -n 300 >options
    "$FRESHET" gen "$spec,n=300" >words
    "$FRESHET" gen "$1" -n 300 --universe 50 >plain 2>/dev/null ||
        "$FRESHET" gen "$1" -n 300 >plain 2>/dev/null ||
        "$FRESHET" gen "$1" -n 300 --against 7 >plain
    cmp options words && ! cmp -s options plain && echo "$spec: the same"
}
same zipf:universe=50,exponent=2 zipf --universe 50 --exponent 2
same drift:universe=50,step=3 drift --universe 50 --step 3
same poisson:lambda=0.3 poisson --lambda 0.3
same bmodel:volume=0.2,bias=0.8,level=3,order=random \
    bmodel --volume 0.2 --bias 0.8 --level 3 --order random
same endless:gap=40,shape=loguniform,least=4 \
    endless --gap 40 --shape loguniform --least 4
same burst:calm=10,clients=4,retries=3 burst --calm 10 --clients 4 --retries 3
same attack:against=7,gap=20,bits=4 attack --against 7 --gap 20 --bits 4
