import { join } from 'node:path'
import { type Config, ConfigError } from '../lib/config.ts'
import type { FileStore } from '../lib/file-store.ts'
import { localFiles } from '../storage/local.ts'
import { s3Files } from '../storage/s3.ts'

/** Where uploads are kept: in a bucket if one is named, otherwise in the data directory. */
export function filesOf(config: Config): FileStore {
  const { dataDirectory, s3Bucket: bucket, s3Region: region, s3AccessKey, s3SecretKey } = config
  if (bucket === undefined) return localFiles(join(dataDirectory, 'uploads'))
  if (s3AccessKey === undefined)
    throw new ConfigError('ROOKERY_S3_BUCKET needs ROOKERY_S3_ACCESS_KEY as well.')
  if (s3SecretKey === undefined)
    throw new ConfigError('ROOKERY_S3_BUCKET needs ROOKERY_S3_SECRET_KEY as well.')
  return s3Files({
    bucket,
    region,
    endpoint: config.s3Endpoint ?? `https://s3.${region}.amazonaws.com`,
    accessKey: s3AccessKey,
    secretKey: s3SecretKey,
    spool: join(dataDirectory, 'unfinished-uploads'),
  })
}
