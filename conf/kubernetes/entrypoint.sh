#!/bin/bash
# Starts a part of Spark in the image: spark-submit names it in the first argument of a pod, and Kubernetes gives the
# variables. Anything else is run as it stands.
set -eu
part=$1
shift
SPARK_HOME=${SPARK_HOME:-$(python -c 'import pyspark; print(pyspark.__path__[0])')}
export SPARK_HOME
case $part in
  driver)
    exec "$SPARK_HOME/bin/spark-submit" --deploy-mode client \
      --conf "spark.driver.bindAddress=$SPARK_DRIVER_BIND_ADDRESS" "$@"
    ;;
  executor)
    # Java's options come one by one, in SPARK_JAVA_OPT_0 and so on.
    options=("-Xms$SPARK_EXECUTOR_MEMORY" "-Xmx$SPARK_EXECUTOR_MEMORY")
    for ((number = 0; ; number++)); do
      name=SPARK_JAVA_OPT_$number
      [ -n "${!name+set}" ] || break
      options+=("${!name}")
    done
    exec java "${options[@]}" -cp "${SPARK_CONF_DIR:-$SPARK_HOME/conf}:$SPARK_HOME/jars/*" \
      org.apache.spark.scheduler.cluster.k8s.KubernetesExecutorBackend \
      --driver-url "$SPARK_DRIVER_URL" --executor-id "$SPARK_EXECUTOR_ID" --cores "$SPARK_EXECUTOR_CORES" \
      --app-id "$SPARK_APPLICATION_ID" --hostname "$SPARK_EXECUTOR_POD_IP" \
      --resourceProfileId "$SPARK_RESOURCE_PROFILE_ID" --podName "$SPARK_EXECUTOR_POD_NAME"
    ;;
  *) exec "$part" "$@" ;;
esac
