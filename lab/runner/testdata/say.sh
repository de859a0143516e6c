#!/bin/sh
# Plays a program in tests: prints the text beside the name it is called by.
cat "$0.txt"
