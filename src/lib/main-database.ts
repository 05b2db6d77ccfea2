/** The name of the database that says where organizations are. It has all of which it does not say otherwise. */
export const mainDatabase = 'main'
