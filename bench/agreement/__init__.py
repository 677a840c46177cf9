"""What `bench/profile_agreement.py` is made of: measure with both tools, judge, write Markdown."""
