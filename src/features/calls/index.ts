import { createBigBlueButtonCall } from './create-big-blue-button-call.ts'
import { joinBigBlueButtonCall } from './join-big-blue-button-call.ts'

/** The operations of this capability. */
export const endpoints = [createBigBlueButtonCall, joinBigBlueButtonCall]
