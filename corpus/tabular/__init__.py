"""Reading of study files into canonical records: pure, streamed, in bounded memory."""
