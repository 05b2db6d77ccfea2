/** The name of the main database. It says which organizations are in other databases, and has all others itself. */
export const mainDatabase = 'main'
