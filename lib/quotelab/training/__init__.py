"""Training of detectors and encoders, which the other packages read as files; none of them imports this one."""
