"""Runs command lines of the AWS CLI, one JSON array of arguments a line of stdin, in one interpreter: starting it takes
most of the time. Answers each with a line {"code": ..., "out": ..., "err": ...}."""

import io
import json
import sys
from contextlib import redirect_stderr, redirect_stdout

from awscli.clidriver import create_clidriver

for line in sys.stdin:
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        try:
            code = create_clidriver().main(json.loads(line))
        except SystemExit as end:
            code = end.code
    answer = {"code": code, "out": out.getvalue(), "err": err.getvalue()}
    print(json.dumps(answer), file=sys.__stdout__, flush=True)
