/** The response of operations whose body is empty, without even an empty object. */
export const EMPTY_RESPONSE: object = Object.freeze({})
