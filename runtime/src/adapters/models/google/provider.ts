/** Models behind Google's generateContent. */
import type { ModelProvider } from '../../../ports/model.ts'
import { createHttpProvider, type HttpProviderOptions } from '../http-provider.ts'
import { readGoogleReply } from './reply.ts'
import { encodeGoogleRequest } from './request.ts'
import { GoogleStream } from './stream.ts'

const ADDRESS = 'https://generativelanguage.googleapis.com/v1beta'

/** Models of Google, by its Gemini API. */
export function createGoogleProvider(options: HttpProviderOptions = {}): ModelProvider {
  const { name = 'google', baseUrl = ADDRESS } = options
  return createHttpProvider(
    { ...options, name, baseUrl },
    {
      buildPath: ({ model }, streamed) => {
        const method = streamed ? 'streamGenerateContent?alt=sse' : 'generateContent'
        return `/models/${encodeURIComponent(model)}:${method}`
      },
      // In a header: an address is written into logs.
      buildHeaders: (key) => (key === '' ? {} : { 'x-goog-api-key': key }),
      encodeRequest: encodeGoogleRequest,
      numbers: 'exact',
      readReply: readGoogleReply,
      createStream: () => new GoogleStream(),
    },
  )
}
