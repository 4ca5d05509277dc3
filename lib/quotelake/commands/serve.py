"""The command ``serve``: programs of this machine query a lake by JDBC (``jdbc:hive2``) or Spark Connect."""

import os
import signal
import socket
import tempfile
from argparse import Namespace
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Event
from typing import Any

from pyspark.sql import SparkSession

from quotelake.errors import InputError
from quotelake.lake.place import check_readable
from quotelake.query.spark import start_engine
from quotelake.spark.guard import forbid_writes
from quotelake.spark.installation import check_environment, spark_folder
from quotelake.spark.session import end_session, get_session

HOST = "127.0.0.1"


def run(arguments: Namespace) -> None:
    """Serve until an interrupt or SIGTERM.

    Raises:
        InputError: a port is not free, or there is no lake.
    """
    _check_free("--port", arguments.port)
    _check_free("--connect-port", arguments.connect_port)
    check_environment()
    check_readable(arguments.lake)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with (
        tempfile.TemporaryDirectory(prefix="quotelake-", dir=os.environ.get("SPARK_LOCAL_DIRS")) as folder,
        ThreadPoolExecutor(1) as starting,  # Java may write what the thread that starts it may
        suppress(KeyboardInterrupt),
    ):
        spark, guarded = starting.submit(_start, folder, arguments.port, arguments.connect_port).result()
        try:
            start_engine("serve", arguments.lake, as_of=arguments.as_of).publish()
            _listen(spark)
            jdbc = f"jdbc:hive2://{HOST}:{arguments.port}"
            print(f"JDBC:          {jdbc}\nSpark Connect: sc://{HOST}:{arguments.connect_port}")
            print(f"A prompt:      java -cp '{spark_folder()}/jars/*' org.apache.hive.beeline.BeeLine -u {jdbc}")
            print(f"Statements can write {'no file' if guarded else 'what you can write'}. Ctrl-C ends it.", flush=True)
            Event().wait()
        finally:
            end_session(spark)


def _start(folder: str, port: int, connect_port: int) -> tuple[SparkSession, bool]:
    """Start Spark so that it writes into a folder alone; also whether the kernel holds it to that."""
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


def _listen(spark: SparkSession) -> None:
    java: Any = spark._jvm
    java.java.lang.System.setProperty("derby.stream.error.file", os.devnull)
    spark.sparkContext.setLogLevel("OFF")  # whoever asks is told what is wrong
    java.org.apache.spark.sql.hive.thriftserver.HiveThriftServer2.startWithSparkSession(spark._jsparkSession, False)
    java.org.apache.spark.sql.connect.service.SparkConnectService.start(spark._jsc.sc())


def _check_free(option: str, port: int) -> None:
    try:
        socket.create_server((HOST, port or -1)).close()  # 0 would be any port
    except (OSError, OverflowError) as error:
        raise InputError(f"{option} {port}: cannot be listened to ({error}); name a free port") from None
