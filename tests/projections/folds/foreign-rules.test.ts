import { describe, expect, test } from 'vitest';
import { isCorrection, withOutcries } from '../../../src/projections/folds/corrections.ts';
import { isRule } from '../../../src/projections/folds/rules.ts';

describe('a rule in another language than English', () => {
  test.each([
    'und bitte nix in legacy/ anfassen, das gehört dem anderen team',
    'reviewer immer @mkoehler, nie den bot',
    'Nie direkt auf main pushen.',
    'Und keine Container auf dem Buildserver starten, da läuft das Release.',
    'kein Deployment ohne mein Okay',
    'ich will keine default exports mehr sehen',
    'du darfst die Migrationen nicht ändern',
    'p99 muss unter 2.5 ms bleiben',
    'ab jetzt nur noch pnpm',
    'tu dois toujours lancer `just lint` avant chaque commit',
    'ne touche jamais à infra/',
    'il ne faut pas toucher à la CI',
    'nunca hagas push a main',
    'no toques la carpeta infra',
    'hay que usar siempre pnpm',
    'nunca use tabs aqui',
    'não mexa na pasta infra',
    'ただし geo/legacy.py は絶対に触らないこと。',
    '必ずテストを実行してください',
    '不要修改 legacy 目录',
    '提交前必须运行测试',
    '别碰 infra/',
  ])('%s', (sentence) => {
    expect(isRule(sentence)).toBe(true);
  });

  test.each([
    'das hat nie funktioniert',
    'keine Fehler mehr gefunden',
    'Kein Problem, mach weiter.',
    'Keine Ahnung, ob die Logs noch laufen',
    'soll ich immer const nehmen?',
    'der Test läuft immer noch nicht',
    'ça ne marche pas',
    'nunca funcionó en mi máquina',
    'テストは 31 件通りました。',
    '必ず失敗する',
    '为什么测试失败？',
    '别的测试都通过了',
    'Der Parser ist kaputt.',
    'es muss am Cache liegen',
  ])('is not: %s', (sentence) => {
    expect(isRule(sentence)).toBe(false);
  });
});

describe('a rule in English', () => {
  test.each(['Round half-even, never half-up!', "don't you dare run migrations on prod"])(
    '%s',
    (sentence) => {
      expect(isRule(sentence)).toBe(true);
    },
  );

  test.each([
    'dont apply it:',
    "don't touch that",
    'if the build is red, never merge - that was the old policy.',
  ])('is not: %s', (sentence) => {
    expect(isRule(sentence)).toBe(false);
  });
});

describe('that something is wrong', () => {
  test.each([
    'ne, kein regex.',
    'Nein, der Port ist 8443.',
    'いや、違う。',
    'non, pas comme ça',
    '不对，用另一个',
  ])('%s', (sentence) => {
    expect(isCorrection(sentence)).toBe(true);
  });

  test.each(['nein?', 'Nenne die Klasse um.', 'nonetheless it works', '不要紧'])(
    'is not: %s',
    (sentence) => {
      expect(isCorrection(sentence)).toBe(false);
    },
  );

  test('is told with what is right, which stands behind it', () => {
    expect(withOutcries(['wrong guess.', 'the crash is from addon.cc:212', 'Go on.'])).toEqual([
      'wrong guess. the crash is from addon.cc:212',
      'Go on.',
    ]);
    expect(withOutcries(['いや、違う。', '期待値が古いだけ。'])).toEqual([
      'いや、違う。期待値が古いだけ。',
    ]);
    const apart = ['Wrong file.', 'Never touch src/wire.rs.', 'No.', 'Can you fix it?'];
    expect(withOutcries(apart)).toEqual(apart);
  });
});
