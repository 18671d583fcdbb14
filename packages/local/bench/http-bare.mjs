import { createServer } from 'node:http'

/** What the engine answered, headers and all: here it is sent for every request, whose JSON is parsed and dropped. */
const { headers, body } = JSON.parse(process.argv[2])
const server = createServer((request, response) => {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    JSON.parse(chunks.length === 1 ? chunks[0].toString() : Buffer.concat(chunks).toString())
    response.writeHead(200, headers)
    response.end(body)
  })
})
server.listen(0, '127.0.0.1', () => process.send(server.address().port))
process.on('message', () => process.send(process.cpuUsage()))
