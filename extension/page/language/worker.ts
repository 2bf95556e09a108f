import { answerInTurn } from './answer-in-turn.ts';
import { languageService } from './language-service.ts';

answerInTurn(languageService());
