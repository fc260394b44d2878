"""What the one-shot commands do, once they know what is wanted."""
