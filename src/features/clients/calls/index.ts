import { hasZoomTokenEvent } from '../kernel/calls/has_zoom_token.event.ts'
import { completeZoomUser } from './complete-zoom-user.ts'
import { createBigBlueButtonCall } from './create-big-blue-button-call.ts'
import { createZoomCall } from './create-zoom-call.ts'
import { joinBigBlueButtonCall } from './join-big-blue-button-call.ts'
import { registerZoomUser } from './register-zoom-user.ts'

export const endpoints = [
  createBigBlueButtonCall,
  joinBigBlueButtonCall,
  createZoomCall,
  registerZoomUser,
  completeZoomUser,
]

export const eventTypes = [hasZoomTokenEvent]

export { consequences } from './consequences.ts'
