// A language model of the editor that asks the server at RULELANG_TEST_MODEL, which speaks as OpenAI does.
const vscode = require('vscode');

async function answer(messages) {
    const said = messages.map(({ role, content }) => ({
        role: role === vscode.LanguageModelChatMessageRole.User ? 'user' : 'assistant',
        content: content.map(part => part.value ?? '').join(''),
    }));
    const body = JSON.stringify({ model: 'scripted', messages: said, stream: true });
    const response = await fetch(`${process.env.RULELANG_TEST_MODEL}/chat/completions`, { method: 'POST', body });
    if (!response.ok) throw new Error(`the model answers ${response.status}`);
    const events = (await response.text()).split('\n').filter(line => line.startsWith('data: {'));
    return events.map(line => JSON.parse(line.slice('data: '.length)).choices[0]?.delta?.content ?? '').join('');
}

exports.activate = ({ subscriptions }) => {
    if (process.env.RULELANG_TEST_MODEL === undefined) return;
    const provider = {
        provideLanguageModelResponse: async (messages, _options, _extension, progress) =>
            progress.report({ index: 0, part: new vscode.LanguageModelTextPart(await answer(messages)) }),
        provideTokenCount: async () => 1,
    };
    const metadata = { vendor: 'test', family: 'scripted', name: 'Scripted', version: '1', maxInputTokens: 1e5, maxOutputTokens: 1e4 };
    subscriptions.push(vscode.lm.registerChatModelProvider('test.scripted', provider, metadata));
};
