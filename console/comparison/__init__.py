"""Compare two calls: arguments and results, as trees and as text."""
