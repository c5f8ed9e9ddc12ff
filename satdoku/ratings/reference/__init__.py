"""Ratings in plain Python: what each technique is, step by step.

Invariant: it finds the steps that C finds, each with the same record; C is only faster.
"""
