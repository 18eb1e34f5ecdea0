/** Models behind Anthropic's messages. */
import type { ModelProvider } from '../../../ports/model.ts'
import { createHttpProvider, type HttpProviderOptions } from '../http-provider.ts'
import { readAnthropicReply } from './reply.ts'
import { encodeAnthropicRequest } from './request.ts'
import { AnthropicStream } from './stream.ts'

const ADDRESS = 'https://api.anthropic.com'
/** Of the wire format: they keep to what was published under it. */
const VERSION = '2023-06-01'

/** Models of Anthropic, by its messages API. */
export function createAnthropicProvider(options: HttpProviderOptions = {}): ModelProvider {
  const { name = 'anthropic', baseUrl = ADDRESS } = options
  return createHttpProvider(
    { ...options, name, baseUrl },
    {
      buildPath: () => '/v1/messages',
      buildHeaders: (key) => ({
        'anthropic-version': VERSION,
        ...(key === '' ? {} : { 'x-api-key': key }),
      }),
      encodeRequest: encodeAnthropicRequest,
      numbers: 'exact',
      readReply: readAnthropicReply,
      createStream: (request) => new AnthropicStream(request),
    },
  )
}
