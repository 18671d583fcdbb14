// What another endpoint of the DynamoDB API has in common with the engine's: errors in the service's form, signatures, and
// the check of callers. It loads neither the engine nor its storage.
export { ServiceError } from './errors/service-error.js'
export { cannotConvert, isJsonObject, unexpectedKind } from './json/json-kind.js'
export { answerBrokenRequest } from './transport/broken-request.js'
export { type AccessKey, type SignatureCheck, signatureCheck } from './transport/signature-check.js'
export { hostHeaderOf, isHostName, isTrustedHost, isTrustedOrigin } from './transport/trusted-host.js'
export { parseJsonBody } from './wire/json-body.js'
