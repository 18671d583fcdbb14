/** The service's sentences about writes of one item. */

export const CONDITION_FAILED_TEXT = 'The conditional request failed'
/** For values of ReturnValues that only an update supports. */
export const RETURN_VALUES_TEXT = 'ReturnValues can only be ALL_OLD or NONE'
