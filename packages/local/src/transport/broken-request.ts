import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { malformedHttpRequest, ServiceError } from '../errors/service-error.js'
import { errorResponse } from '../wire/aws-json.js'

/**
 * Answers bytes that Node's parser could not parse, and closes the connection, because the start of the next request is
 * unknown.
 */
export function answerBrokenRequest(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  onBug: (error: unknown) => void,
): void {
  // A disconnected client reads nothing. In the middle of another response, this one would be read as part of it.
  if (error.code === 'ECONNRESET' || !socket.writable || hasAnswerUnderWay(socket)) {
    socket.destroy()
    return
  }
  const { status, headers, body } = errorResponse(refusalOf(error.code), onBug)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}connection: close\r\n\r\n`
  socket.end(head + body, () => socket.destroy())
}

/** Node stores the connection's current response in this member, and checks it for the same purpose. */
function hasAnswerUnderWay(socket: Duplex & { readonly _httpMessage?: { readonly headersSent: boolean } }) {
  return socket._httpMessage?.headersSent === true
}

function refusalOf(code: string | undefined): ServiceError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return malformedHttpRequest('The headers are larger than this endpoint takes.')
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return malformedHttpRequest('The chunk extensions are larger than this endpoint takes.', 413)
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ServiceError('RequestTimeoutException', 'The request did not arrive in time.', {}, 408)
    default:
      return malformedHttpRequest('This is no HTTP/1.1 request.')
  }
}
