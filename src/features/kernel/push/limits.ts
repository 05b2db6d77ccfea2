/** The limits of devices for notifications. */
export const pushDeviceLimits = {
  /** Devices of one user and kind. */
  pushDevicesPerUser: 50,
} as const
