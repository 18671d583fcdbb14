import { ServiceError } from './service-error.js'

/** An error of one action that a whole transaction fails with, instead of a cancellation that lists it. */
export class RefusedAtOnce extends ServiceError {
  constructor(message: string) {
    super('ValidationException', message)
  }
}
