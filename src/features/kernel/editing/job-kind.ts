/**
 * The kind of the jobs that notify by mail the users whom an edit calls. The subject is the number of the log before the edit: its
 * event says who they are.
 */
export const calledByEditJob = 'called by edit'
