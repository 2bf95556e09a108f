import { say } from '#language/program/say.ts';
import type { ModelChange, ModelRequest } from '#server/remote/models.ts';
import { type Arguments, choiceOf, countOf, UsageError } from '../arguments.ts';
import type { Command } from '../command.ts';
import { actionOf, SERVICE_DESCRIPTION, SERVICE_OPTIONS, serviceOf } from '../service-options.ts';

const { scope: _, ...OPTIONS } = SERVICE_OPTIONS;
const ACTIONS = {
    show: ['format'],
    set: ['provider', 'address', 'model', 'secret', 'temperature', 'max-tokens', 'embeddings'],
    test: [],
} as const;

export const model: Command = {
    name: 'model',
    summary: 'Show, set and test the language model of a platform service',
    usage: 'show|set|test [options]',
    description: `Shows or changes which language model a platform service uses for you:

  show  prints the settings, and how many requests are left in this month
  set   changes the settings that the options name
  test  asks the model for one word; prints the answer, the time and the number
        of tokens. This counts as a request

The key is read from an environment variable, kept by the service, and never
printed. If you change the provider or the address, the old key is deleted.

${SERVICE_DESCRIPTION}`,
    options: {
        provider: {
            value: 'NAME',
            help: 'set: openai, anthropic, google, azure, bedrock, mistral, or chat-completions for a server with the API of OpenAI.',
        },
        address: { value: 'URL', help: "set: the address of the provider, such as http://localhost:11434/v1; 'default' is its own." },
        model: { value: 'NAME', help: "set: the name of the model at the provider; 'default' is its default model." },
        secret: { value: 'NAME', help: 'set: the key is in the environment variable NAME.' },
        temperature: { value: 'NUMBER', help: 'set: from 0, the most predictable, to 2. Default: 0.5.' },
        'max-tokens': { value: 'COUNT', help: 'set: maximum tokens of an answer. Default: 2000.' },
        embeddings: { value: 'NAME', help: 'set: the model for embeddings.' },
        format: { value: 'table|json', help: 'show: output format. Default: table.' },
        ...OPTIONS,
    },
    examples: [
        ['rulelang model set --address http://localhost:11434/v1 --model qwen2.5-coder', 'a server on this machine'],
        ['rulelang model set --provider anthropic --secret ANTHROPIC_API_KEY', 'a provider, with the key in a variable'],
        ['rulelang model test', 'see whether it answers'],
    ],
    job: args => {
        const request = requestOf(args);
        const service = serviceOf(args);
        return async streams => (await import('#server/remote/main.ts')).models(request, service, streams());
    },
};

function requestOf(args: Arguments): ModelRequest {
    const { action, words } = actionOf(args, ACTIONS);
    if (words.length > 0) throw new UsageError(say`takes no argument '${words[0]}'`);
    switch (action) {
        case 'show':
            return { action, format: choiceOf(args, 'format', ['table', 'json'], 'table') };
        case 'set': {
            const change = changeOf(args);
            if (Object.keys(change).length === 0) throw new UsageError(say`say what to set, such as --provider and --secret`);
            return { action, change };
        }
        case 'test':
            return { action };
    }
}

function changeOf(args: Arguments): ModelChange {
    const texts = Object.entries({ provider: 'provider', address: 'address', model: 'model', embeddings: 'embeddings' });
    const given = texts.flatMap(([member, option]) => (args.has(option) ? [[member, args.value(option)] as const] : []));
    const maxTokens = countOf(args, 'max-tokens');
    const key = keyOf(args);
    const temperature = temperatureOf(args);
    return {
        ...Object.fromEntries(given),
        ...(maxTokens !== undefined && { maxTokens }),
        ...(key !== undefined && { key }),
        ...(temperature !== undefined && { temperature }),
    };
}

function keyOf(args: Arguments): string | undefined {
    const name = args.value('secret');
    if (name === undefined) return undefined;
    const key = process.env[name]?.trim();
    if (key === undefined) throw new UsageError(say`the environment has no variable '${name}'`);
    if (key === '') throw new UsageError(say`the variable '${name}' of the environment is empty`);
    return key;
}

function temperatureOf(args: Arguments): number | undefined {
    const text = args.value('temperature');
    if (text === undefined) return undefined;
    const temperature = Number(text);
    if (text.trim() === '' || !(temperature >= 0 && temperature <= 2))
        throw new UsageError(say`option '--temperature' takes a number from 0 to 2, not '${text}'`);
    return temperature;
}
