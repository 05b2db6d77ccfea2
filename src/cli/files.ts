import { join } from 'node:path'
import type { FileStore } from '../adapters/files/file-store.ts'
import { localFiles } from '../adapters/files/local.ts'
import { s3Files } from '../adapters/files/s3.ts'
import { type Config, ConfigError } from '../config/config.ts'

/** Returns the store for uploads: a bucket if the settings name one, otherwise the data directory. */
export function configuredFiles(config: Config): FileStore {
  return config.s3Bucket === undefined ? directoryFiles(config) : bucketFiles(config)
}

/** Returns the name of the configured store for messages. */
export function storeName(config: Config): string {
  return config.s3Bucket === undefined ? directoryOf(config) : `the bucket ${config.s3Bucket}`
}

/** Returns the path of the uploads in the data directory. */
export function directoryOf({ dataDirectory }: Config): string {
  return join(dataDirectory, 'uploads')
}

export function directoryFiles(config: Config): FileStore {
  return localFiles(directoryOf(config))
}

/** Throws one sentence if the settings name no bucket, or no key to it. */
export function bucketFiles(config: Config): FileStore {
  const { dataDirectory, s3Bucket: bucket, s3Region: region, s3AccessKey, s3SecretKey } = config
  if (bucket === undefined) throw new ConfigError('ROOKERY_S3_BUCKET names no bucket.')
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
