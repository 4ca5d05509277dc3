"""Serve the views to other programs of this machine, by JDBC and Spark Connect, until Ctrl-C.

They are shown as the last complete run left them when the command was started. It listens on loopback alone, and
asks for no password: every user of this machine may read what you may.
"""

import ctypes
import os
import signal
import socket
import struct
import sys
import tempfile
from argparse import Namespace
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Event
from typing import TYPE_CHECKING, Any, Final

from quotelake.errors import InputError
from quotelake.lake.place import check_readable
from quotelake.spark.installation import check_environment, spark_folder

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

HOST = "127.0.0.1"
#: Calls of Landlock in the kernel, by their numbers, which are the same on all processors.
_CREATE, _ADD, _RESTRICT, _NO_NEW_PRIVILEGES = 444, 445, 446, 38
#: Rights that write files, remove or make what a folder holds, move it elsewhere, or cut files.
_WRITING: Final = sum(1 << bit for bit in (1, *range(4, 15)))


def run(arguments: Namespace) -> None:
    """Serve until an interrupt or SIGTERM."""
    from quotelake.query.spark import start_engine
    from quotelake.spark.session import end_session

    check_free("--port", arguments.port)
    check_free("--connect-port", arguments.connect_port)
    check_environment()
    check_readable(arguments.lake)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with (
        tempfile.TemporaryDirectory(prefix="quotelake-", dir=os.environ.get("SPARK_LOCAL_DIRS")) as folder,
        ThreadPoolExecutor(1) as starting,  # Java gets the rights of the thread that starts it
        suppress(KeyboardInterrupt),
    ):
        spark, guarded = starting.submit(_start, folder, arguments.port, arguments.connect_port).result()
        try:
            start_engine("serve", arguments.lake, as_of=arguments.as_of).publish()
            java: Any = spark._jvm
            java.java.lang.System.setProperty("derby.stream.error.file", os.devnull)
            spark.sparkContext.setLogLevel("OFF")  # the client gets the error
            thrift = java.org.apache.spark.sql.hive.thriftserver.HiveThriftServer2
            thrift.startWithSparkSession(spark._jsparkSession, False)
            java.org.apache.spark.sql.connect.service.SparkConnectService.start(spark._jsc.sc())
            jdbc = f"jdbc:hive2://{HOST}:{arguments.port}"
            print(f"JDBC:          {jdbc}\nSpark Connect: sc://{HOST}:{arguments.connect_port}")
            print(f"A prompt:      java -cp '{spark_folder()}/jars/*' org.apache.hive.beeline.BeeLine -u {jdbc}")
            print(f"Statements can write {'no file' if guarded else 'what you can write'}. Ctrl-C ends it.", flush=True)
            Event().wait()
        finally:
            end_session()


def _start(folder: str, port: int, connect_port: int) -> "tuple[SparkSession, bool]":
    """Start Spark with a folder for its files; whether the kernel refuses it to write elsewhere."""
    from quotelake.spark.session import get_session

    tempfile.tempdir = os.environ["SPARK_LOCAL_DIRS"] = folder
    guarded = "PYSPARK_GATEWAY_PORT" not in os.environ and forbid_writes(but=(folder, "/dev"))  # else Java runs already
    settings = {
        "spark.driver.host": HOST,
        "spark.driver.bindAddress": HOST,
        "spark.sql.warehouse.dir": f"{folder}/warehouse",
        "spark.sql.thriftServer.incrementalCollect": "true",  # an answer need not fit into memory
        "spark.hadoop.hive.server2.thrift.bind.host": HOST,
        "spark.hadoop.hive.server2.thrift.port": str(port),
        "spark.connect.grpc.binding.address": HOST,
        "spark.connect.grpc.binding.port": str(connect_port),
    }
    return get_session("serve", **settings), guarded


def check_free(option: str, port: int) -> None:
    """Refuse a port that is not free, as an InputError that names the option."""
    try:
        socket.create_server((HOST, port or -1)).close()  # 0 would be any port
    except (OSError, OverflowError) as error:
        raise InputError(f"{option} {port}: cannot be listened to ({error}); name a free port") from None


def forbid_writes(but: Iterable[str]) -> bool:
    """Take from this thread, and what it starts from now on, the right to write outside some folders, by Landlock.

    Returns whether the kernel holds to it: from Linux 6.2 on, where Landlock is switched on.
    """
    kernel = ctypes.CDLL(None, use_errno=True)
    if sys.platform != "linux" or kernel.syscall(_CREATE, None, 0, 1) < 3:
        return False
    rules = kernel.syscall(_CREATE, struct.pack("Q", _WRITING), 8, 0)
    for folder in but:
        opened = os.open(folder, os.O_PATH)
        kernel.syscall(_ADD, rules, 1, struct.pack("=Qi", _WRITING, opened), 0)
        os.close(opened)
    kernel.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    held = kernel.syscall(_RESTRICT, rules, 0) == 0
    os.close(rules)
    return bool(held)
