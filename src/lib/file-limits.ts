/** The limits of what is uploaded and drawn; all limits are in limits.ts. */
export const fileLimits = {
  // Files: uploads that no message links to go after some days, and files that nothing was recorded of after an hour. Pictures: of one, all that moves together, and how long
  // drawing it anew may take; how many are drawn at the same time on a node, and how long a request waits for that.
  fileNameLength: 200,
  unclaimedUploadDays: 35,
  unrecordedFileSeconds: 3_600,
  // Resumable uploads: unfinished ones of one user, the MiB that they may have together, and their parts. After an hour
  // without a part they give way to new ones; after a day they end.
  resumableUploads: 50,
  resumableMib: 1_000,
  resumableParts: 1_000,
  resumableIdleSeconds: 3_600,
  resumableSeconds: 86_400,
  missingFilesNamed: 10,
  tidyFilesSeconds: 3_600,
  temporaryUrlSeconds: 60,
  picturePixels: 50_000_000,
  pictureSeconds: 10,
  picturesAtOnce: 2,
  pictureWaitSeconds: 30,
  thumbnailSourceMib: 50,
  thumbnailPages: 100,
  thumbnailsAtOnce: 10,
  thumbnailWaitSeconds: 3,
  thumbnailAtOncePixels: 2_500_000,
  externalContentMib: 10,
  externalContentSeconds: 10,
  externalContentAtOnce: 30,

  // Custom emoji; withdrawn ones, too: each change tells everybody of all of them.
  emojiMib: 5,
  emojiFrames: 500,
  customEmoji: 5_000,
  customEmojiNameLength: 100,
} as const
