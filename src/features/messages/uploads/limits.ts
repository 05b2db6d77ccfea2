/** The limits of uploads, thumbnails and pictures of other sites. */
export const uploadLimits = {
  /** MiB of an upload. */
  uploadMib: 100,
  /** Messages that show a new thumbnail in one step. */
  shownPerStep: 50,
  /** Characters of a file's name. */
  fileNameLength: 200,
  /** Uploads of one user that may be unfinished. */
  resumableUploads: 50,
  /** MiB of these together. */
  resumableMib: 1_000,
  /** Parts of an upload. */
  resumableParts: 1_000,
  /** Seconds without a part after which an unfinished upload gives way to a new one. */
  resumableIdleSeconds: 3_600,
  /** Seconds after which an unfinished upload ends. */
  resumableSeconds: 86_400,
  /** Seconds for which a temporary address of a file works. */
  temporaryUrlSeconds: 60,
  /** MiB of a picture of which thumbnails are made. */
  thumbnailSourceMib: 50,
  /** Frames of an animation that a thumbnail shows. */
  thumbnailPages: 100,
  /** Jobs for thumbnails that a node runs concurrently. */
  concurrentThumbnails: 10,
  /** Seconds that an upload waits for its thumbnail. */
  thumbnailWaitSeconds: 3,
  /** Pixels of a picture whose thumbnail is made during the upload. */
  immediateThumbnailPixels: 2_500_000,
  /** MiB of a picture of another site. */
  externalContentMib: 10,
  /** Seconds to fetch it. */
  externalContentSeconds: 10,
  /** Pictures of other sites that a node fetches concurrently. */
  concurrentExternalContent: 30,
  /** Seconds that a request waits for its turn to fetch one. */
  externalContentWaitSeconds: 20,
  /** Pictures of other sites that wait for their turn on a node. */
  externalContentWaiting: 300,
  /** Pictures of other sites that one caller waits for: a page may show a hundred. */
  externalContentWaitingEach: 100,
  /** Seconds for which a client may read the smallest file of another site. */
  externalReadSeconds: 10,
  /** Bytes of a larger one that a client must read in each further second. */
  externalReadRate: 100_000,
} as const
