import { outgoingDelivery } from './deliver-outgoing.ts'

export const jobHandlers = [outgoingDelivery()]
