"""What happens to the data, blind to sources: a folder a stage, in the order of the way of the data.

``base raw reading workers merging publishing guarding run`` take a dump from its bytes to the published dataset;
``fetching export explaining drafting`` are beside it; ``cli`` has the commands. The root only starts and configures.
Each folder says what it imports of these and what it touches (files, processes, network, clock).
"""
