"""Tools from OpenAPI 3 documents: each operation that a person chose is a tool like any other.

A document is read once, when a person adds or refreshes it, and a copy is kept (`store`): what a file or an address
says later changes no tool. `document` bounds what anybody may have written, `operations` reads each operation by
itself, so that a broken one takes no other along, and `operation_tool` sends what a call asks for, over the client and
by the rules of the built-in web tools.
"""
