/** Models behind OpenAI's chat completions: OpenAI, and with their address Ollama, vLLM, llama.cpp and others. */
import type { ModelProvider } from '../../../ports/model.ts'
import { createHttpProvider, type HttpProviderOptions } from '../http-provider.ts'
import { readOpenAiReply } from './reply.ts'
import { encodeOpenAiRequest, type TokenLimitField } from './request.ts'
import { OpenAiStream } from './stream.ts'

const ADDRESS = 'https://api.openai.com/v1'

/** How a server is reached that speaks as OpenAI does: OpenAI itself, Ollama, vLLM, llama.cpp. */
export type OpenAiOptions = HttpProviderOptions & {
  /** Left out: what OpenAI wants where it is asked itself, else what all servers know. */
  readonly limitField?: TokenLimitField
}

/** A provider that speaks as OpenAI does: OpenAI itself, or a server that speaks like it. */
export function createOpenAiProvider(options: OpenAiOptions = {}): ModelProvider {
  const { name = 'openai', baseUrl = ADDRESS } = options
  const limitField =
    options.limitField ?? (baseUrl === ADDRESS ? 'max_completion_tokens' : 'max_tokens')
  return createHttpProvider(
    { ...options, name, baseUrl },
    {
      buildPath: () => '/chat/completions',
      buildHeaders: (key) => (key === '' ? {} : { authorization: `Bearer ${key}` }),
      encodeRequest: (request, streamed) => encodeOpenAiRequest(request, streamed, limitField),
      numbers: 'nearest',
      readReply: readOpenAiReply,
      createStream: () => new OpenAiStream(),
    },
  )
}
