"""Parameter sweeps: one metric under many settings against people, and an honest choice.

What is asked for (`asked`), the job that scores and compares (`service`), the form (`form`).
"""
