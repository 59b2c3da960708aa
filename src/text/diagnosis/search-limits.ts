// Words by which an agent that searches says that a limit of its own was the end of it; a diagnosis knows them again.
export const OUT_OF_TIME = 'more are left than it has time for'
export const OUT_OF_CANDIDATES = 'more are left than it may try'
