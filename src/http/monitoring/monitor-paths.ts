/** The paths of the checks of health begin so. */
export const healthPrefix = '/health/'

export const metricsPath = '/metrics'

/** Whether a path, or a route, is for load balancers and monitors. It is answered at any time, and is not itself counted. */
export function isForMonitors(path: string | undefined): boolean {
  return path === metricsPath || (path?.startsWith(healthPrefix) ?? false)
}
