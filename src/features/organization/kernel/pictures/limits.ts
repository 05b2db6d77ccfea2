/** The limits of drawing pictures. */
export const pictureLimits = {
  /** Pixels of a picture, over all that moves together. */
  picturePixels: 50_000_000,
  /** Seconds to draw a picture. */
  pictureSeconds: 10,
  /** Pictures that a node draws concurrently. */
  concurrentPictures: 2,
  /** Seconds that a request waits for its turn to draw. */
  pictureWaitSeconds: 30,
  /** Pictures that wait for their turn on a node: to be drawn, and to be looked at. */
  picturesWaiting: 200,
  /** Pictures of one user that wait so. */
  picturesWaitingEach: 50,
  /** Frames of an animated custom emoji. */
  emojiFrames: 500,
} as const
