// Written by tools/guide.
#include "CGuide.h"

// #embed reads the files when this is compiled, and the build notices when one changes.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char article_1[] = {
#embed "../lattice/lattice.docc/Bridges.md"
};
static const unsigned char article_2[] = {
#embed "../lattice/lattice.docc/BridgesAtScale.md"
};
static const unsigned char article_3[] = {
#embed "../lattice/lattice.docc/Browser.md"
};
static const unsigned char article_4[] = {
#embed "../lattice/lattice.docc/Camp.md"
};
static const unsigned char article_5[] = {
#embed "../lattice/lattice.docc/Chat.md"
};
static const unsigned char article_6[] = {
#embed "../lattice/lattice.docc/Files.md"
};
static const unsigned char article_7[] = {
#embed "../lattice/lattice.docc/GettingStarted.md"
};
static const unsigned char article_8[] = {
#embed "../lattice/lattice.docc/IRC.md"
};
static const unsigned char article_9[] = {
#embed "../lattice/lattice.docc/JSON.md"
};
static const unsigned char article_10[] = {
#embed "../lattice/lattice.docc/LargeMeshes.md"
};
static const unsigned char article_11[] = {
#embed "../lattice/lattice.docc/Meshes.md"
};
static const unsigned char article_12[] = {
#embed "../lattice/lattice.docc/Metrics.md"
};
static const unsigned char article_13[] = {
#embed "../lattice/lattice.docc/Notifications.md"
};
static const unsigned char article_14[] = {
#embed "../lattice/lattice.docc/People.md"
};
static const unsigned char article_15[] = {
#embed "../lattice/lattice.docc/Performance.md"
};
static const unsigned char article_16[] = {
#embed "../lattice/lattice.docc/Posts.md"
};
static const unsigned char article_17[] = {
#embed "../lattice/lattice.docc/Private.md"
};
static const unsigned char article_18[] = {
#embed "../lattice/lattice.docc/Secrets.md"
};
static const unsigned char article_19[] = {
#embed "../lattice/lattice.docc/Service.md"
};
static const unsigned char article_20[] = {
#embed "../lattice/lattice.docc/Settings.md"
};
static const unsigned char article_21[] = {
#embed "../lattice/lattice.docc/Sharing.md"
};
static const unsigned char article_22[] = {
#embed "../lattice/lattice.docc/Storage.md"
};
static const unsigned char article_23[] = {
#embed "../lattice/lattice.docc/Streams.md"
};
static const unsigned char article_24[] = {
#embed "../lattice/lattice.docc/Troubleshooting.md"
};
static const unsigned char article_25[] = {
#embed "../lattice/lattice.docc/lattice.md"
};

static const lattice_guide_article articles[] = {
    {"Bridges", article_1, sizeof article_1},
    {"BridgesAtScale", article_2, sizeof article_2},
    {"Browser", article_3, sizeof article_3},
    {"Camp", article_4, sizeof article_4},
    {"Chat", article_5, sizeof article_5},
    {"Files", article_6, sizeof article_6},
    {"GettingStarted", article_7, sizeof article_7},
    {"IRC", article_8, sizeof article_8},
    {"JSON", article_9, sizeof article_9},
    {"LargeMeshes", article_10, sizeof article_10},
    {"Meshes", article_11, sizeof article_11},
    {"Metrics", article_12, sizeof article_12},
    {"Notifications", article_13, sizeof article_13},
    {"People", article_14, sizeof article_14},
    {"Performance", article_15, sizeof article_15},
    {"Posts", article_16, sizeof article_16},
    {"Private", article_17, sizeof article_17},
    {"Secrets", article_18, sizeof article_18},
    {"Service", article_19, sizeof article_19},
    {"Settings", article_20, sizeof article_20},
    {"Sharing", article_21, sizeof article_21},
    {"Storage", article_22, sizeof article_22},
    {"Streams", article_23, sizeof article_23},
    {"Troubleshooting", article_24, sizeof article_24},
    {"lattice", article_25, sizeof article_25},
    {0, 0, 0},
};

const lattice_guide_article *lattice_guide_articles_first(void) { return articles; }
