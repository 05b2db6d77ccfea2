import { host, integerSetting, optional, required, token } from './setting-kinds.ts'

/** The settings of monitoring: who may read the metrics, and where. */
export const monitoringSettings = {
  metricsToken: {
    ...optional('ROOKERY_METRICS_TOKEN', token(16), 'none: no metrics, unless on a port of their own'),
    summary: 'What a monitor must show to read `/metrics`, as a bearer token.',
    secret: true,
  },
  metricsPort: {
    ...optional('ROOKERY_METRICS_PORT', integerSetting(0, 65_535), 'none: `/metrics` is on `PORT`'),
    summary: 'A port of its own for `/metrics`, which is nowhere else then; 0 takes a free one.',
  },
  metricsHost: required(
    'ROOKERY_METRICS_HOST',
    host(),
    '127.0.0.1',
    'The address on which that port listens; `0.0.0.0` for all.',
  ),
}
