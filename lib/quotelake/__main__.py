"""``python -m quotelake`` is the program ``quotelake``."""

from quotelake.cli import main

if __name__ == "__main__":
    main()
