import { anyText, bucketName, httpUrl, integerSetting, name, optional, required } from './setting-kinds.ts'

/** The settings of uploads: where they are stored, and how large they may be. */
export const uploadSettings = {
  uploadQuotaMib: {
    ...optional('ROOKERY_UPLOAD_QUOTA_MIB', integerSetting(1, 999_999_999), 'none'),
    summary: 'How many MiB the uploads of each organization may take.',
  },
  s3Bucket: {
    ...optional('ROOKERY_S3_BUCKET', bucketName(), 'none: files are in the data directory'),
    summary: 'The bucket of an S3-compatible store that uploads and pictures go to.',
  },
  s3Endpoint: {
    ...optional('ROOKERY_S3_ENDPOINT', httpUrl(), '`https://s3.<region>.amazonaws.com`'),
    summary: 'The URL of the store; the bucket is the first part of the path.',
  },
  s3Region: required('ROOKERY_S3_REGION', name(40), 'us-east-1', 'Its region.'),
  s3AccessKey: {
    ...optional('ROOKERY_S3_ACCESS_KEY', name(128), 'needed with a bucket'),
    summary: 'The id of the key to it.',
  },
  s3SecretKey: {
    ...optional('ROOKERY_S3_SECRET_KEY', anyText(), 'needed with a bucket'),
    summary: 'The key itself.',
    secret: true,
  },
}
