"""The functions of the traps, for one example, and the same for a batch written by hand."""


def center(x):
    """Subtract the mean of ONE vector."""
    return x - x.mean()


def center_by_hand(X):
    """Subtract each row's own mean."""
    return X - X.mean(axis=1, keepdims=True)


def total(x):
    """Sum the entries of ONE vector."""
    return x.sum()


def total_by_hand(X):
    """Sum each row."""
    return X.sum(axis=1)


def matvec(W, x):
    """Multiply the shared matrix with ONE vector."""
    return W @ x


def matvec_by_hand(W, X):
    """Multiply with every row."""
    return X @ W.T


def transpose(x):
    """Transpose ONE matrix."""
    return x.T


def transpose_by_hand(X):
    """Exchange the last two axes, leave the batch axis."""
    return X.transpose(0, 2, 1)
