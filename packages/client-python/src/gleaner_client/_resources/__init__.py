"""The methods of the client, by resource."""
