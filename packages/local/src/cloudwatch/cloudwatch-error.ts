import { ServiceError } from '../errors/service-error.js'

const CLOUDWATCH = 'com.amazonaws.cloudwatch.v2010_08_01'

/**
 * An error of CloudWatch. It has two names: one of its model, and one of the older query protocol. Clients of newer
 * protocols receive the older name in a header, and show it to users. Source:
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/CommonErrors.html
 */
export class CloudwatchError extends ServiceError {
  readonly code: string

  constructor(name: string, code: string, message: string, httpStatus = 400) {
    super(name, message, {}, httpStatus)
    this.code = code
  }

  override get body(): object {
    return { __type: `${CLOUDWATCH}#${this.name}`, message: this.message }
  }

  override get headers(): { readonly [name: string]: string } {
    return { 'x-amzn-query-error': `${this.code};Sender` }
  }
}

export function missingParameter(name: string): CloudwatchError {
  const message = `The parameter ${name} is required.`
  return new CloudwatchError('MissingRequiredParameterException', 'MissingParameter', message)
}

export function invalidValue(message: string): CloudwatchError {
  return new CloudwatchError('InvalidParameterValueException', 'InvalidParameterValue', message)
}

export function invalidCombination(message: string): CloudwatchError {
  return new CloudwatchError('InvalidParameterCombinationException', 'InvalidParameterCombination', message)
}
