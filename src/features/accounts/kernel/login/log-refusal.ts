import type { RequestInfo } from '../../../../http/endpoint.ts'
import type { Login } from './check-login.ts'

/** Does the work of a login, and logs if it is refused. `userId`: of the account that it is for, if there is one. */
export async function logRefusal<T>(
  request: RequestInfo,
  { method, userId }: { method: Login['method']; userId?: number | undefined },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    request.refuseLogin({ method, userId, error })
    throw error
  }
}
