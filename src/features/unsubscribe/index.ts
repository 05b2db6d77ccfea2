import { unsubscribe } from './unsubscribe.ts'
import { unsubscribeForm } from './unsubscribe-form.ts'

/** The operations of this capability. */
export const endpoints = [unsubscribeForm, unsubscribe]
